// Made by amplihack-compaction: `amplihack-compaction uninstall --client opencode` removes it.
// After a compaction the model is told the session's state. Where anything fails, nothing happens.
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { homedir } from "node:os"

const own = `${homedir()}/.local/share/amplihack-compaction`
const sessions = `${process.env.AMPLIHACK_COMPACTION_HOME || own}/opencode`
const LIMIT_MS = 300

const soon = (answer) => Promise.race([answer, new Promise((done) => setTimeout(done, LIMIT_MS, ""))])

const hook = (event, directory, id) =>
  new Promise((done) => {
    try {
      const env = { ...process.env, CLAUDE_PROJECT_DIR: directory }
      const options = { cwd: directory, env, detached: true, stdio: ["pipe", "pipe", "ignore"] }
      const child = spawn(`${own}/hooks/${event}`, [], options)
      child.on("error", () => done(""))
      child.on("close", () => done(""))
      child.stdin.on("error", () => {}) // it did not read all of it
      child.stdout.on("data", (text) => done(String(text)))
      child.stdin.end(
        JSON.stringify({
          client: "opencode",
          hook_event_name: event,
          session_id: id,
          transcript_path: `${sessions}/${id}.jsonl`,
          source: "compact",
          cwd: directory,
        }),
      )
      child.unref()
      child.stdout.unref?.() // the client may end before a hook that hangs
    } catch {
      done("")
    }
  })

const state = (id) => {
  try {
    const text = readFileSync(`${sessions}/${id}.state`, "utf8")
    return text.slice(text.indexOf("\n") + 1)
  } catch {
    return "" // not compacted yet
  }
}

export const AmplihackCompaction = async ({ directory }) => {
  const disabled = process.env.AMPLIHACK_COMPACTION_DISABLED ?? ""
  if (!["", "0", "false", "no", "off"].includes(disabled.toLowerCase())) return {}
  const hints = new Map() // of sessions whose summary has not been asked for yet
  const coming = new Map()
  return {
    "experimental.session.compacting": async ({ sessionID }, output) => {
      const hint = { text: "", given: false }
      hints.set(sessionID, hint)
      const asked = hook("PreCompact", directory, sessionID).then((text) => (hint.text = text.trim()))
      hint.given = Boolean(await soon(asked))
      if (hint.given) output.context.push(hint.text)
    },
    event: async ({ event }) => {
      const id = event.properties?.sessionID
      if (event.type === "session.compacted" && id) coming.set(id, hook("SessionStart", directory, id))
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      const hint = hints.get(sessionID)
      if (hint) {
        hints.delete(sessionID) // the summariser's request: it may have come in the meantime
        const text = hint.given ? "" : hint.text || state(sessionID)
        if (text) output.system.push(text)
        return
      }
      if (coming.has(sessionID)) await soon(coming.get(sessionID))
      coming.delete(sessionID)
      const text = sessionID && state(sessionID)
      if (text) output.system.push(text)
    },
  }
}
