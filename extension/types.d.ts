// Types that several contexts share; read by `tsc --noEmit` only, never loaded by the browser.

/** What a page call is given besides its arguments. */
export interface PageContext {
  /** Aborted when the call is cancelled or its deadline passes. */
  signal: AbortSignal;
  /** When to give up, on the clock of `performance.now()` of this document. */
  deadline: number;
  /** Say that something that may change the site begins now. Called right before it, as often as you like. */
  acted(): void;
  /** Tell the offscreen document something while the call is under way, e.g. `{request: {...}}`. */
  note(note: Record<string, unknown>): void;
  /** The same, with the next thing that is told: a note that matters only together with the answer. */
  noteLater(note: Record<string, unknown>): void;
  options: PageOptions;
  /** Sends real keys through the debugger, to what has the focus. There only where the manifest says `input: trusted`. */
  trusted?(actions: TrustedAction[]): Promise<void>;
}

/** One press of a key ("Control+a") or one insertion of text. */
export type TrustedAction = { key: string } | { text: string };

/** What the run wants of every call: comes from the manifest. */
export interface PageOptions {
  /** Dotted path of the page variable that holds the CSRF token. */
  csrf?: string | null;
  /** Values that must not appear in notes. */
  secrets?: string[];
  [key: string]: unknown;
}

export type PageCall = (args: any[], context: PageContext) => unknown;

export interface PageNamespace {
  register(name: string, call: PageCall): void;
  call(name: string, args: unknown[], context: PageContext): Promise<unknown>;
  error(code: string, message: string, details?: Record<string, unknown>): Error & { code: string; details: object };
  /** Page scripts hang what other page scripts need here: `runhome.page.tree = {...}`. */
  [noun: string]: any;
}

declare global {
  var runhome: { page: PageNamespace; [key: string]: any };
}

export interface FaultData {
  code: string;
  message: string;
  details: Record<string, unknown>;
}

export interface SocketStatus {
  status: "unpaired" | "connecting" | "connected" | "waiting" | "stopped";
  /** For a person; empty when there is nothing to say. */
  reason: string;
}

export interface TabInfo {
  id: number;
  url: string;
  title: string;
  busy: boolean;
}

/** docs/wire.md, `run.subroutine`. */
export interface SubroutineOnWire {
  name: string;
  version: string;
  effect: "read" | "write";
  sites: readonly string[];
  start: string | null;
  input: "dom" | "trusted";
  csrf: string | null;
  permissions: { requests: readonly string[]; cookies: boolean };
  params: string[];
  body: string;
}

export interface RunParams {
  run: string;
  subroutine: SubroutineOnWire;
  arguments: Record<string, unknown>;
  secrets: string[];
  timeout_ms: number;
  tab: number | null;
}

export interface Step {
  n: number;
  helper: string;
  args: unknown[];
  at_ms: number;
  took_ms: number;
  acted: boolean;
  value: unknown;
  error: FaultData | null;
}

export interface RequestMade {
  source: "helper" | "network";
  method: string;
  url: string;
  status: number | null;
  error: string | null;
  at_ms: number;
  took_ms: number | null;
  request_body: string | null;
  response_body: string | null;
}

export interface RunResult {
  outcome: string;
  value: unknown;
  error: FaultData | null;
  acted: boolean;
  tab: number | null;
  steps: Step[];
  requests: RequestMade[];
  logs: string[];
  final_url: string | null;
  title: string | null;
  timings: { tab_ms: number; body_ms: number; total_ms: number };
}

/** What a run needs of the rest of the offscreen document. */
export interface Services {
  pages: import("./offscreen/pages.js").Pages;
  tabs: import("./offscreen/tabs.js").Tabs;
  network: import("./offscreen/network.js").Network;
  navigation: import("./offscreen/navigation.js").Navigation;
  sandbox: import("./offscreen/sandbox.js").Sandbox;
  link: import("./offscreen/worker_link.js").WorkerLink;
  isPaused(): boolean;
  tell(event: string, params: object): void;
}
