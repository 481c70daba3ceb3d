// @ts-check
// A failure that the relay is told: a code of docs/wire.md, a message for a person, details for programs. Pure.

export class Fault extends Error {
  /** @param {string} code @param {string} message @param {Record<string, unknown>} [details] */
  constructor(code, message, details = {}) {
    super(message);
    this.name = "Fault";
    this.code = code;
    this.details = details;
    /** True when something that may change the site had begun. */
    this.acted = false;
  }

  /** The same failure, as it met one call. @param {boolean} acted */
  during(acted) {
    return Object.assign(new Fault(this.code, this.message, this.details), { acted });
  }
}

/**
 * Any error as what goes over the wire or a port.
 * @param {unknown} error @returns {import("./types").FaultData}
 */
export function faultData(error) {
  if (error instanceof Fault) return { code: error.code, message: error.message, details: error.details };
  const message = error instanceof Error ? error.message : String(error);
  return { code: "INTERNAL", message: `The extension itself failed: ${message}`, details: {} };
}

/**
 * The reverse of `faultData`.
 * @param {import("./types").FaultData} data
 */
export function faultFrom(data) {
  return new Fault(data.code, data.message, data.details);
}
