// An id, serial or path: monospaced, cut in the middle where it is long, whole on hover and for copying.
import { CopyButton } from "@/components/ui/copy-button";

interface IdTextProps {
  id: string;
  /** What a screen reader says for the copy button; without it there is none. */
  copy?: string;
}

/** Long ids show their first eight characters. */
export function IdText({ id, copy }: IdTextProps) {
  const short = id.length > 24 ? `${id.slice(0, 8)}…` : id;
  return (
    <>
      <span className="mono" title={id}>
        {short}
      </span>
      {copy === undefined ? null : (
        <>
          {" "}
          <CopyButton text={id} what={copy} />
        </>
      )}
    </>
  );
}
