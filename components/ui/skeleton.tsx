// Skeletons: placeholders with the size of what is loading, so that nothing jumps.

/** Plausible text widths in px. Row and column choose one, so that a skeleton always looks the same. */
const widths = [72, 150, 96, 120, 64, 190, 80, 110] as const;

/** One bar of a skeleton. */
export function Sk({ width }: { width: number }) {
  return (
    <svg className="skeleton" width={width} height="8" aria-hidden="true">
      <rect width={width} height="8" rx="2" fill="var(--n4)" />
    </svg>
  );
}

/** Rows of a loading table. */
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

/** A loading section. */
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
