// Finds the known word that somebody probably meant, for "did you mean".

/** Edit distance: letters that differ, are missing, extra or swapped. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const above = rows[i - 1] ?? [];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          (above[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (above[j - 1] ?? 0) + same,
          swapped ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? Infinity;
}

const maxLetters = 64;

/** The closest known word, ignoring case; null if none is close enough: a third of its letters may differ. Pure. */
export function closest<T extends string>(word: string, known: readonly T[]): T | null {
  const wanted = word.toLowerCase().slice(0, maxLetters);
  let best: { readonly word: T; readonly far: number } | null = null;
  for (const candidate of known) {
    const far = distance(wanted, candidate.toLowerCase().slice(0, maxLetters));
    if (far <= Math.max(1, Math.floor(wanted.length / 3)) && (best === null || far < best.far))
      best = { word: candidate, far };
  }
  return best?.word ?? null;
}
