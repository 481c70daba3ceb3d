"""The names a body can use, those it cannot and what to use instead. Tables only; ``lint`` applies them."""

HELPERS = frozenset(
    "find click type waitFor waitForUrl request requestJson getCsrfToken getCookie "
    "goto select press hover drag upload read extract screenshot log progress".split()
)

NEED_NO_AWAIT = frozenset(("log", "progress"))
"""They only tell; nothing is lost when nobody waits for them."""

OBJECTS = ("tab", "rtrvr")
"""Two names for the same thing, so that bodies written against rtrvr's helper table run unchanged."""

_PAGE = "a body is not in the page: use tab.find, tab.read, tab.click and the other helpers"
_NETWORK = "a body has no network: use tab.request or tab.requestJson, and name the request in permissions"
_STORAGE = "a body keeps nothing: return what shall be kept"
_EXTENSION = "a body cannot reach the extension: the helpers are all there is"
_ALONE = "a body talks to nobody but its tab"
_NODE = "a body runs in the browser, without Node.js and without modules"

ABSENT = {
    **dict.fromkeys(
        (
            "document window frames parent top HTMLElement Element Node MutationObserver "
            "getComputedStyle DOMParser requestAnimationFrame frameElement customElements"
        ).split(),
        _PAGE,
    ),
    **dict.fromkeys(
        (
            "fetch fetchLater XMLHttpRequest WebSocket WebSocketStream EventSource WebTransport "
            "RTCPeerConnection importScripts"
        ).split(),
        _NETWORK,
    ),
    **dict.fromkeys("localStorage sessionStorage indexedDB caches cookieStore".split(), _STORAGE),
    **dict.fromkeys("require module exports process Buffer __dirname global".split(), _NODE),
    **dict.fromkeys("chrome browser".split(), _EXTENSION),
    **dict.fromkeys("Worker SharedWorker BroadcastChannel Notification postMessage close".split(), _ALONE),
    "location": "use tab.waitForUrl to wait for an address and tab.goto to open one",
    "history": "use tab.goto",
    "alert": "use tab.log, or throw an Error to fail with a message",
    "confirm": "nobody can answer: make it a parameter",
    "prompt": "nobody can answer: make it a parameter",
    "page": "this is not Playwright: the page is called tab here",
    "$": "there is no jQuery: use tab.find",
    "jQuery": "there is no jQuery: use tab.find",
}
"""Global names that do not exist where a body runs, each with what to use instead."""

PRESENT = frozenset(
    "AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView "
    "Date Error EvalError FinalizationRegistry Float32Array Float64Array Function Infinity "
    "Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy "
    "RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol SyntaxError "
    "TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet "
    "decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN "
    "parseFloat parseInt undefined unescape arguments self AbortController AbortSignal Blob "
    "CompressionStream DOMException DecompressionStream Event EventTarget File FileReader FormData "
    "Headers MessageChannel ReadableStream Request Response TextDecoder TextEncoder TransformStream "
    "URL URLPattern URLSearchParams WritableStream atob btoa clearInterval clearTimeout console "
    "createImageBitmap crypto navigator performance queueMicrotask setInterval setTimeout "
    "structuredClone".split()
)
