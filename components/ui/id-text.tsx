// An id, serial or path: monospaced, cut in the middle where it is long, whole on hover and for copying.
import { shortenId } from "@/components/ui/format/ids";
import { CopyButton } from "@/components/ui/copy-button";

interface IdTextProps {
  id: string;
  /** What a screen reader says for the copy button; without it there is none. */
  copy?: string;
}

/** Long ids show their first eight characters. */
export function IdText({ id, copy }: IdTextProps) {
  return (
    <>
      <span className="mono" title={id}>
        {shortenId(id)}
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
