// Where an image comes from and what hosts verify before booting it, as rows of a fact list.
import type { ImageLine } from "@/server/surfaces/trpc/types";

export function ImageSourceFacts({
  image,
}: {
  image: Pick<ImageLine, "url" | "sha256" | "signed" | "kind">;
}) {
  return (
    <>
      <dt>Address</dt>
      <dd className="mono">{image.url}</dd>
      {image.sha256 === null ? null : (
        <>
          <dt>SHA-256</dt>
          <dd className="mono">{image.sha256}</dd>
        </>
      )}
      {image.kind === "ironic" ? (
        <>
          <dt>Agent</dt>
          <dd>Ironic’s: its erases do not count</dd>
        </>
      ) : null}
      <dt>Signature</dt>
      <dd>
        {image.signed
          ? "checked by each host before it starts the image"
          : "none: hosts boot the image without checking it"}
      </dd>
    </>
  );
}
