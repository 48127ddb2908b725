// Reads paginated lists to the end, so that a partial list is never mistaken for a complete one.

interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

/** @param read reads one page; null is the first */
export async function readPages<Row>(
  read: (cursor: string | null) => Promise<Page<Row>>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Row> = await read(cursor);
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}
