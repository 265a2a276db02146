# Says once, at the start of a session that somebody watches, that the plugin waits for its setup or
# was updated since. Starts no other program, but to keep in mind that it spoke.

hooks=~/.local/share/amplihack-compaction/hooks
setup=/amplihack-compaction:compaction-setup

[ "${CLAUDE_CODE_SESSION_ATTENDED:-1}" = 1 ] || exit 0
case ${AMPLIHACK_COMPACTION_DISABLED:-0} in
    0 | [Ff][Aa][Ll][Ss][Ee] | [Nn][Oo] | [Oo][Ff][Ff]) ;;
    *) exit 0 ;;
esac

wanted=
while read -r key value; do
    [ "$key" = '"version":' ] || continue
    value=${value#\"}
    wanted=${value%%\"*}
    break
done 2>/dev/null <"$CLAUDE_PLUGIN_ROOT/.claude-plugin/plugin.json"
[ -n "$wanted" ] || exit 0

installed='' python=''
{ read -r installed && read -r python; } 2>/dev/null <"$hooks/installed"
if [ -x "$hooks/SessionStart" ] && [ -x "$python" ]; then
    # Anything but JSON would be shown to the model.
    case $installed$wanted in *[!0-9A-Za-z.+]*) exit 0 ;; esac
    [ "$installed" != "$wanted" ] || exit 0
    say="its environment has version ${installed:-?}, the plugin $wanted. $setup brings both together"
else
    say="the plugin is there, but does nothing yet. $setup makes its Python environment (about a minute; the only step that uses the network)"
fi

told=
memory=${CLAUDE_PLUGIN_DATA:-}/told
[ ! -r "$memory" ] || read -r told <"$memory"
[ "$told" != "$wanted after ${installed:-none}" ] || exit 0
printf '{"systemMessage":"amplihack-compaction: %s. This is said once."}\n' "$say"
[ -z "${CLAUDE_PLUGIN_DATA:-}" ] || { mkdir -p "$CLAUDE_PLUGIN_DATA" && printf '%s\n' "$wanted after ${installed:-none}" >"$memory"; } 2>/dev/null
exit 0
