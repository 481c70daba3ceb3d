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
  options: PageOptions;
}

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
