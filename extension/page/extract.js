// @ts-check
// The helper `extract`: rows of a page that looks like a list or a table, through its pages where asked.

(() => {
  const { page } = globalThis.runhome;
  const { pace, actionable, tree } = page;

  /** @typedef {import("../types").PageContext} PageContext @typedef {Record<string, unknown>} Row */
  /** @typedef {{rows?: any, next?: any, limit?: number, timeout?: number}} Options rows: the target of one row; next: what shows the next page; limit: rows at most */

  const MOST_ROWS = 5000;
  const NEXT_PAGE_MS = 5000;
  const READ_KEYS = ["attribute", "property"];

  /**
   * Args: a schema {field: target} (or a list of one), or the target of a table; {rows, next, limit}. A field's target may
   * carry `attribute` or `property`, as for read. Gives a list of {field: value}; null for a field that a row does not have.
   * @param {any[]} args @param {PageContext} context @returns {Promise<Row[]>}
   */
  async function extract([schema, options = {}], context) {
    const limit = Math.min(options?.limit ?? MOST_ROWS, MOST_ROWS);
    const read = await reader(Array.isArray(schema) ? schema[0] : schema, options ?? {}, context);
    let rows = read();
    while (options?.next && rows.length < limit) {
      context.note({ rows }); // should the page go to another document, the offscreen document goes on from here
      const more = await nextPage(options.next, read, context);
      if (!more) break;
      rows = rows.concat(more);
    }
    return rows.slice(0, limit);
  }

  /** @param {any} schema @param {Options} options @param {PageContext} context @returns {Promise<() => Row[]>} */
  async function reader(schema, options, context) {
    if (isFields(schema)) {
      const first = options.rows ?? firstOf(Object.values(schema)[0]).target;
      const found = await pace.until(
        () => page.findAll(first).length,
        context,
        actionable.endOf(context, options.timeout),
      );
      if (!found) page.find(first); // says what was there instead
      return () =>
        options.rows
          ? page.findAll(options.rows).map((/** @type {Element} */ row) => fieldsIn(row, schema))
          : grouped(schema);
    }
    const table = await actionable.locate(schema, context, { timeout: options.timeout });
    if (!table.matches('table, [role="table"], [role="grid"], [role="treegrid"]')) {
      throw page.error(
        "BAD_ARGUMENT",
        `extract reads a table, or {field: target, ...} with rows: target. ${page.describe(table)} is no table.`,
      );
    }
    return () => tableRows(table.isConnected ? table : page.resolve(schema));
  }

  /** @param {any} schema */
  function isFields(schema) {
    if (!schema || typeof schema !== "object" || "$handle" in schema || "$regexp" in schema) return false;
    const values = Object.values(schema);
    return values.length > 0 && values.every((value) => value && typeof value === "object" && !("$regexp" in value));
  }

  /** @param {any} field @returns {{target: any, how: {attribute?: string, property?: string}}} */
  function firstOf(field) {
    const target = Object.fromEntries(Object.entries(field).filter(([key]) => !READ_KEYS.includes(key)));
    const how = Object.fromEntries(Object.entries(field).filter(([key]) => READ_KEYS.includes(key)));
    return { target, how };
  }

  /** @param {Element} row @param {Record<string, any>} schema @returns {Row} */
  function fieldsIn(row, schema) {
    const entries = Object.entries(schema).map(([name, field]) => {
      const { target, how } = firstOf(field);
      const isRow = Object.keys(target).length === 0; // only what to read: of the row itself
      const element = isRow ? row : page.findAll(target, { scope: row })[0];
      return [name, element ? page.reader.of(element, how) : null];
    });
    return Object.fromEntries(entries);
  }

  /** Without a target for rows: each match of the first field stands for one, with all that is nearer to it than to another. @param {Record<string, any>} schema */
  function grouped(schema) {
    const leads = /** @type {Element[]} */ (page.findAll(firstOf(Object.values(schema)[0]).target));
    return leads.map((lead) => fieldsIn(rowAround(lead, leads), schema));
  }

  /** The largest element around a lead that holds no other lead. @param {Element} lead @param {Element[]} leads */
  function rowAround(lead, leads) {
    let row = lead;
    for (const at of tree.upwards(lead)) {
      if (leads.some((other) => other !== lead && tree.contains(at, other)) || at === document.body) break;
      row = at;
    }
    return row;
  }

  /** @param {HTMLElement} table @returns {Row[]} */
  function tableRows(table) {
    const rows = [...table.querySelectorAll('tr, [role="row"]')].filter(
      (row) => row.closest('table, [role="table"], [role="grid"], [role="treegrid"]') === table,
    );
    const headerRow = rows.find((row) => isHeader(row));
    const headers = headerRow ? cells(headerRow).map((cell, index) => cell || `column ${index + 1}`) : [];
    return rows
      .filter((row) => row !== headerRow && page.isVisible(row) && cells(row).length > 0)
      .map((row) => {
        const texts = cells(row);
        return Object.fromEntries(texts.map((text, index) => [headers[index] ?? `column ${index + 1}`, text]));
      });
  }

  /** @param {Element} row */
  function isHeader(row) {
    return (
      row.closest("thead") !== null || [...row.children].every((cell) => cell.matches('th, [role="columnheader"]'))
    );
  }

  /** The texts of a row, one for each column: a cell over three columns is there three times. @param {Element} row @returns {string[]} */
  function cells(row) {
    const found = /** @type {HTMLTableCellElement[]} */ ([
      ...row.querySelectorAll('td, th, [role="cell"], [role="gridcell"], [role="columnheader"], [role="rowheader"]'),
    ]);
    return found
      .filter((cell) => cell.closest('tr, [role="row"]') === row)
      .flatMap((cell) => Array(cell.colSpan || 1).fill(page.reader.of(cell, {})));
  }

  /**
   * Clicks `next` and waits until other rows are there. Null at the last page: no `next`, a disabled one, or the same rows.
   * @param {any} next @param {() => Row[]} read @param {PageContext} context @returns {Promise<Row[] | null>}
   */
  async function nextPage(next, read, context) {
    const [button] = page.findAll(next);
    if (!button || button.matches(':disabled, [aria-disabled="true"]')) return null;
    const before = JSON.stringify(read());
    await page.call("click", [page.handle(button, next)], context);
    const changed = () => {
      const rows = read();
      return rows.length > 0 && JSON.stringify(rows) !== before ? rows : null;
    };
    return pace.until(changed, context, actionable.endOf(context, NEXT_PAGE_MS));
  }

  page.register("extract", extract);
})();
