// Skeletons: they have the size of what comes, so that nothing jumps.

/** Widths in px that look like words; row and column choose one, so that the same skeleton is always the same. */
const widths = [72, 150, 96, 120, 64, 190, 80, 110] as const;

/** One bar of a skeleton. */
export function Sk({ width }: { width: number }) {
  return (
    <svg className="skeleton" width={width} height="8" aria-hidden="true">
      <rect width={width} height="8" rx="2" fill="var(--n4)" />
    </svg>
  );
}

/** Rows of a table that is on its way. */
export function SkeletonRows({ rows, columns }: { rows: number; columns: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        <td key={column} data-narrow={column === 0 ? "top-start" : column === 1 ? "bottom-start" : undefined}>
          <Sk width={widths[(row * 3 + column * 5) % widths.length] ?? 80} />
        </td>
      ))}
    </tr>
  ));
}

/** A section that is on its way. */
export function Skeleton({ rows }: { rows: number }) {
  return (
    <div role="group" aria-busy="true" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <p key={row} className="skeleton-line">
          <Sk width={widths[(row * 3) % widths.length] ?? 80} />{" "}
          <Sk width={(widths[(row * 5 + 2) % widths.length] ?? 80) * 2} />
        </p>
      ))}
    </div>
  );
}
