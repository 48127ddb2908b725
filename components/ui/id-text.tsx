// An id, serial number or path: monospaced, shortened if long, complete on hover and when copied.
import { shortenId } from "@/components/ui/format/ids";
import { CopyButton } from "@/components/ui/copy-button";

interface IdTextProps {
  id: string;
  /** Accessible name of the copy button; without it there is no button. */
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
