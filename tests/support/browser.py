"""Drive a headless Chromium by the W3C WebDriver protocol, for tests of the report's page."""

import base64
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

CHROMEDRIVER = shutil.which("chromedriver")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
MISSING = "" if CHROMEDRIVER and CHROMIUM else "Chromium and ChromeDriver (tests/fetch_browser.sh)"
_STARTED = re.compile(r"started successfully on port (\d+)")
_ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars"
    " --disable-background-networking --disable-component-update --disable-sync"
    " --disable-dev-shm-usage"
)
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_TIMEOUT_SECONDS = 60.0


class Browser:
    """One session of the browser."""

    def __init__(self, client: httpx.Client, session: str) -> None:
        self._client, self._session = client, session

    def ask(self, method: str, path: str, **body: Any) -> Any:
        """Send one command of the protocol and return its value."""
        url = f"/session/{self._session}/{path}"
        answer = self._client.request(method, url, json=body if method == "POST" else None)
        assert answer.status_code == 200, answer.text
        return answer.json()["value"]

    def show(self, page: Path) -> None:
        """Load a file."""
        self.ask("POST", "url", url=page.as_uri())

    def run(self, expression: str) -> Any:
        """Return the value of a JavaScript expression."""
        return self.ask("POST", "execute/sync", script=f"return {expression}", args=[])

    def find(self, selector: str) -> str:
        """Return the first element that a CSS selector finds."""
        found = self.ask("POST", "element", using="css selector", value=selector)
        return str(found[_ELEMENT])

    def click(self, selector: str) -> None:
        """Click on an element."""
        self.ask("POST", f"element/{self.find(selector)}/click")

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, wherever the focus is."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("POST", "actions", actions=[{"type": "key", "id": "keys", "actions": actions}])

    def devtools(self, command: str, **parameters: Any) -> Any:
        """Send a command of Chromium's own protocol."""
        return self.ask("POST", "goog/cdp/execute", cmd=command, params=parameters)

    def screen(self, width: int, height: int) -> None:
        """Make the page's screen so large."""
        self.devtools(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=width < 600,
        )  # fmt: skip

    def prefer(self, **features: str) -> None:
        """Set what the page's media queries see, as `media="print"` or `colors="dark"`."""
        colors = [{"name": "prefers-color-scheme", "value": features.get("colors", "light")}]
        media = features.get("media", "screen")
        self.devtools("Emulation.setEmulatedMedia", media=media, features=colors)

    def complaints(self) -> list[str]:
        """Return what the browser's console says since it was asked last."""
        return [entry["message"] for entry in self.ask("POST", "se/log", type="browser")]

    def pdf(self) -> bytes:
        """Return the page as it would be printed."""
        return base64.b64decode(self.ask("POST", "print"))


@contextmanager
def open_browser(folder: Path) -> Iterator[Browser]:
    """Start driver and browser, with an empty profile in the folder, and end both."""
    assert CHROMEDRIVER
    assert CHROMIUM
    driver = subprocess.Popen(
        [CHROMEDRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert driver.stdout is not None
    try:
        port = next(found[1] for line in driver.stdout if (found := _STARTED.search(line)))
        options = {
            "binary": CHROMIUM,
            "args": [*_ARGUMENTS.split(), f"--user-data-dir={folder / 'profile'}"],
        }
        capabilities = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        with httpx.Client(
            base_url=f"http://127.0.0.1:{port}", timeout=_TIMEOUT_SECONDS, trust_env=False
        ) as client:
            answer = client.post("/session", json={"capabilities": {"alwaysMatch": capabilities}})
            assert answer.status_code == 200, answer.text
            session = answer.json()["value"]["sessionId"]
            try:
                yield Browser(client, session)
            finally:
                client.delete(f"/session/{session}")
    finally:
        driver.terminate()
        driver.wait(timeout=_TIMEOUT_SECONDS)
        driver.stdout.close()
