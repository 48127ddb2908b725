// The product's logo and name.

/** Inline SVG, so that it takes the colour of the text. */
export function Brand() {
  return (
    <>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d="M8 1.5A6.5 6.5 0 1 0 14.5 8" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path d="M8 4.5V8h3.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <rect x="11" y="1.5" width="3.5" height="3.5" fill="currentColor" />
      </svg>
      <span>Reclaim</span>
    </>
  );
}
