"""A real Chromium without a window, driven by its DevTools protocol over a pipe."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"),
    *("--disable-dev-shm-usage", "--disable-extensions", "--disable-background-networking"),
    "--remote-debugging-pipe",
)
SECONDS = 60


def chromium() -> str | None:
    """Path of a Chromium, from ``CHROMIUM`` or the search path; None without one."""
    named = os.environ.get("CHROMIUM")
    return named or next((found for found in map(shutil.which, NAMES) if found), None)


class Browser:
    """One page of a browser.

    `errors` collects uncaught errors and console errors of the page, refusals of its security
    policy among them.
    """

    def __init__(self, program: str) -> None:
        self._folder = tempfile.mkdtemp(prefix="chromium-")
        down, self._down = os.pipe()
        self._up, up = os.pipe()

        def pipes() -> None:
            # Above the two numbers that Chromium reads from and writes to.
            read, write = os.dup(down), os.dup(up)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self._process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={self._folder}", "about:blank"],
            preexec_fn=pipes,
            pass_fds=(3, 4, down, up),
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        os.close(down)
        os.close(up)
        self._buffer, self._number, self._session = b"", 0, None
        self.errors: list[str] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = session["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")

    def close(self) -> None:
        """End the browser."""
        self._process.kill()
        self._process.wait()
        os.close(self._down)
        os.close(self._up)
        shutil.rmtree(self._folder, ignore_errors=True)

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command; return its result."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._down, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return dict(answer["result"])

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            got = os.read(self._up, 1 << 20)
            if not got:
                raise RuntimeError("the browser has ended")
            self._buffer += got
        text, _, self._buffer = self._buffer.partition(b"\0")
        answer: dict[str, Any] = json.loads(text)
        method, params = answer.get("method"), answer.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(params["entry"]["text"])
        return answer

    def open(
        self,
        path: Path,
        size: tuple[int, int] = (1280, 800),
        dark: bool = False,
        script: bool = True,
        still: bool = True,
        part: str = "",
    ) -> None:
        """Open a page; `still` asks for no motion, as people can."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=size[0],
            height=size[1],
            deviceScaleFactor=1,
            mobile=False,
        )
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"},
        ]
        self.send("Emulation.setEmulatedMedia", features=features)
        self.send("Emulation.setScriptExecutionDisabled", value=not script)
        self.errors.clear()
        self.send("Page.navigate", url="about:blank")
        self.send("Page.navigate", url=path.absolute().as_uri() + part)
        self.wait("document.readyState === 'complete'")
        self.pause(0.2)

    def run(self, expression: str) -> Any:
        """Value of a script expression, of a promise too."""
        answer = self.send(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def wait(self, condition: str) -> None:
        """Wait until a condition holds."""
        end = time.monotonic() + SECONDS
        while not self.run(condition):
            if time.monotonic() > end:
                raise TimeoutError(condition)
            time.sleep(0.02)

    def pause(self, seconds: float) -> None:
        """Let the page draw."""
        # A timer of the page would not run without scripts.
        time.sleep(seconds)

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """Mouse event: "Pressed", "Released" or "Moved"."""
        self.send("Input.dispatchMouseEvent", type=f"mouse{kind}", x=x, y=y, **more)

    def click(self, selector: str) -> None:
        """Click in the middle of an element, scrolled into view."""
        x, y = self.middle(selector)
        self.mouse("Moved", x, y)
        for kind in ("Pressed", "Released"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def middle(self, selector: str) -> tuple[float, float]:
        """Middle of an element."""
        found = self.run(
            f"(() => {{ const one = document.querySelector({json.dumps(selector)});"
            "one.scrollIntoView({block: 'center', behavior: 'instant'});"
            "const box = one.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        return found[0], found[1]

    def drag(self, selector: str, dx: float, dy: float, steps: int = 10) -> None:
        """Drag from the middle of an element."""
        x, y = self.middle(selector)
        self.mouse("Moved", x, y)
        self.mouse("Pressed", x, y, button="left", buttons=1, clickCount=1)
        for step in range(1, steps + 1):
            share = step / steps
            self.mouse("Moved", x + dx * share, y + dy * share, button="left", buttons=1)
        self.mouse("Released", x + dx, y + dy, button="left", clickCount=1)

    def key(self, key: str, text: str | None = None) -> None:
        """Press a key on the element with the focus."""
        more = {"text": text or key} if len(key) == 1 else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, **more)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key)

    def picture(self, path: Path, whole: bool = False) -> None:
        """Write a PNG of the window, or of the whole page."""
        found = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(found["data"]))
