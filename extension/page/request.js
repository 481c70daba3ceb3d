// @ts-check
// `request` and `requestJson`: through the page's own fetch, with the token that the site gives now. A write is sent once;
// once more only where it went without a token and was refused for that. Permission was checked before the call came here.

(() => {
  const { page } = globalThis.runhome;
  const { bodies, csrf } = page;

  /** @typedef {import("../types").PageContext} PageContext */
  /** @typedef {{status: number, ok: boolean, url: string, redirected: boolean, headers: Record<string, string>, body: string, truncated: boolean}} Reply */
  /** @typedef {{url: string, method: string, init: object, body: any, shown: string | null, headers: Map<string, [string, string]>, timeout_ms: number | null, wantsToken: boolean}} Sending */

  const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);
  const INIT_KEYS = ["credentials", "mode", "redirect", "cache", "referrer", "referrerPolicy", "keepalive"];
  const SHOWN_CHARACTERS = 8000;
  const EXCERPT_CHARACTERS = 300;
  const SAYS_TOKEN =
    /csrf|xsrf|forgery|\b(invalid|missing|expired|bad|wrong|incorrect|mismatch\w*)\b.{0,40}\b(token|nonce)|\b(token|nonce)\b.{0,40}\b(invalid|missing|expired|wrong|incorrect|mismatch|required)|invalid_nonce/is;
  const MAY_BE_TOKEN = new Set([400, 401, 403, 419]);
  let count = 0;

  /**
   * Args: url, init, or one object with both. `init` is as for fetch, with `timeout` in ms, `json`, `csrf: false`.
   * @param {any[]} args @param {PageContext} context @returns {Promise<Reply>}
   * @throws NETWORK, TIMEOUT, TOKEN_REFUSED, BAD_ARGUMENT; a status by itself is no error
   */
  async function request(args, context) {
    const sending = read(args);
    const token = sending.wantsToken ? await csrf.current(context) : null;
    const reply = await send(withToken(sending, token), context);
    if (reply.ok) csrf.tookIt(token);
    if (SAFE.has(sending.method) || !saysToken(reply)) return reply;
    const other = sending.wantsToken ? await otherToken(token, context) : null;
    if (token || !other) throw tokenRefused(sending, reply, { token, changed: other !== null });
    const second = await send(withToken(sending, other), context);
    if (!saysToken(second)) return second;
    throw tokenRefused(sending, second, { token: other, changed: false });
  }

  /**
   * As `request`, and gives the parsed JSON of a 2xx answer (null for 204 and for an empty body).
   * @param {any[]} args @param {PageContext} context
   * @throws HTTP_STATUS for another status, NOT_JSON, TOO_LARGE
   */
  async function requestJson([place, init], context) {
    const options = typeof place === "string" ? { ...init, url: place } : { ...place };
    const headers = bodies.headers(options.headers, null);
    if (!headers.has("accept"))
      options.headers = { ...Object.fromEntries(headers.values()), Accept: "application/json" };
    const reply = await request([options], context);
    const method = String(options.method ?? "GET").toUpperCase();
    if (!reply.ok) throw wrongStatus(method, reply);
    if (reply.truncated)
      throw page.error(
        "TOO_LARGE",
        `${method} ${reply.url} answered with more than 16 MiB. Ask for less, or use tab.request, which gives the first part.`,
      );
    if (!reply.body.trim()) return null;
    try {
      return JSON.parse(reply.body);
    } catch {
      throw page.error(
        "NOT_JSON",
        `${method} ${reply.url} answered ${reply.status} with something that is not JSON: ${excerpt(reply.body)}`,
        { status: reply.status, body: excerpt(reply.body) },
      );
    }
  }

  /** @param {any[]} args @returns {Sending} */
  function read([place, more]) {
    const given = { ...(typeof place === "string" ? { ...more, url: place } : place) };
    if (typeof given.url !== "string" || !URL.canParse(given.url, document.baseURI)) {
      throw page.error("BAD_ARGUMENT", `request needs a URL first, not ${JSON.stringify(given.url) ?? "nothing"}.`);
    }
    const url = new URL(given.url, document.baseURI);
    const method = String(given.method ?? "GET").toUpperCase();
    const { body, type, shown } =
      given.json === undefined ? bodies.read(given.body) : bodies.read(JSON.stringify(given.json));
    if (body !== null && (method === "GET" || method === "HEAD"))
      throw page.error("BAD_ARGUMENT", `A ${method} request has no body. Put the values into the URL, or set method.`);
    const headers = bodies.headers(given.headers, body);
    const impliedType = given.json === undefined ? type : "application/json";
    if (impliedType && !headers.has("content-type")) headers.set("content-type", ["Content-Type", impliedType]);
    const init = Object.fromEntries(
      INIT_KEYS.filter((key) => given[key] !== undefined).map((key) => [key, given[key]]),
    );
    const hasToken = [...headers.keys()].some((name) => csrf.HEADERS.has(name));
    const wantsToken = given.csrf !== false && !SAFE.has(method) && url.origin === location.origin && !hasToken;
    return {
      url: url.href,
      method,
      init: { ...init, method },
      body,
      shown,
      headers,
      timeout_ms: Number(given.timeout) || null,
      wantsToken,
    };
  }

  /** @typedef {{token: string, header: string, others?: Token[]}} Token */

  /** @param {Sending} sending @param {Token | null} found @returns {Sending} */
  function withToken(sending, found) {
    if (!found) return sending;
    const headers = new Map(sending.headers);
    for (const { header, token } of [...(found.others ?? []), found]) headers.set(header.toLowerCase(), [header, token]);
    return { ...sending, headers };
  }

  /** @param {Sending} sending @param {PageContext} context @returns {Promise<Reply>} */
  async function send(sending, context) {
    const { url, method, init, body, headers, timeout_ms } = sending;
    const began = performance.now();
    count += 1;
    const about = {
      id: count,
      source: "helper",
      method,
      url,
      request_body: sending.shown?.slice(0, SHOWN_CHARACTERS) ?? null,
    };
    context.note({ request_begun: about, ...(SAFE.has(method) ? {} : { acted: true }) });
    const end = (/** @type {object} */ outcome) =>
      context.noteLater({ request: { ...about, took_ms: performance.now() - began, ...outcome } });
    try {
      const reply = await page.main.fetch(
        { url, init: { ...init, headers: [...headers.values()] }, body, timeout_ms },
        context.signal,
      );
      const landed = reply.redirected ? { final_url: reply.url } : {};
      end({ status: reply.status, error: null, response_body: reply.body.slice(0, SHOWN_CHARACTERS), ...landed });
      return reply;
    } catch (error) {
      end({ status: null, error: /** @type {any} */ (error).code, response_body: null });
      throw unanswered(sending, /** @type {any} */ (error));
    }
  }

  /** @param {Sending} sending @param {{code: string, message: string}} problem */
  function unanswered({ method, url }, { code, message }) {
    if (code === "ABORTED") return page.error("TIMEOUT", `${method} ${url} was given up before it was answered.`);
    if (code === "TIMEOUT") return page.error("TIMEOUT", `${method} ${url}: ${message}`);
    return page.error(
      "NETWORK",
      `${method} ${url} got no answer (${message}). The site may be down, or may not allow this page to ask it.`,
    );
  }

  /** @param {Reply} reply */
  function saysToken({ status, body }) {
    return status === 419 || (MAY_BE_TOKEN.has(status) && SAYS_TOKEN.test(body.slice(0, 4000)));
  }

  /**
   * Another token in the place of the refused one: already there, or in the page when it is asked anew.
   * @param {{token: string, from: string} | null} refused @param {PageContext} context
   */
  async function otherToken(refused, context) {
    const isOther = (/** @type {{token: string, from: string} | null} */ found) =>
      found !== null && (refused === null || (found.from === refused.from && found.token !== refused.token));
    const now = await csrf.find(context);
    if (isOther(now)) return now;
    const fetched = await csrf.fetchAnew(context);
    return isOther(fetched) ? fetched : null;
  }

  /**
   * `changed`: the token was right when it was sent and is another one now. The site may have taken a first sending, lost
   * the connection, and refused what Chrome sent again.
   * @param {Sending} sending @param {Reply} reply @param {{token: {from: string} | null, changed: boolean}} how
   */
  function tokenRefused({ method, url }, reply, { token, changed }) {
    const which = token ? `the token from ${token.from}` : "a request without a token; none was found in the page";
    const next = changed
      ? "The token changed while the request was on its way, so the site may have taken it before. Look there first."
      : "Reload the page or log in again; nothing was changed by this request.";
    return page.error("TOKEN_REFUSED", `The site refused ${which} (${method} ${url} answered ${reply.status}). ${next}`, {
      status: reply.status,
      body: excerpt(reply.body),
      changed,
    });
  }

  /** @param {string} method @param {Reply} reply */
  function wrongStatus(method, reply) {
    return page.error(
      "HTTP_STATUS",
      `${method} ${reply.url} answered ${reply.status}: ${excerpt(reply.body) || "(empty)"}`,
      { status: reply.status, body: excerpt(reply.body) },
    );
  }

  /** @param {string} text */
  function excerpt(text) {
    const flat = text.replace(/\s+/g, " ").trim();
    return flat.length > EXCERPT_CHARACTERS ? `${flat.slice(0, EXCERPT_CHARACTERS - 1)}…` : flat;
  }

  page.register("request", request);
  page.register("requestJson", requestJson);
})();
