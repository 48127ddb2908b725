// Small parts that the list and the panel of returns share: a full time, and the signed file.
import { formatUtc } from "@/components/ui/format/times";
import { routes } from "@/server/domain/console/routes";
import type { ReturnLine } from "@/server/surfaces/trpc/types";

/** A time that proves something has its day and zone. */
export const FullTime = ({ at }: { readonly at: Date }) => (
  <time dateTime={at.toISOString()}>{formatUtc(at)}</time>
);

/** A return whose reclamation is still under way: that it is not proven is no fault. */
export const isInProgress = ({
  reclamation,
  endedAt,
}: Pick<ReturnLine, "reclamation" | "endedAt">): boolean => reclamation !== null && endedAt === null;

const fileName = ({ number, id }: { readonly number: string | null; readonly id: string }): string =>
  `certificate-${number ?? id}`;

/** Links to the signed file, or why there is none. */
export function FileLinks({ line }: { readonly line: ReturnLine }) {
  const { file } = line;
  if (file === null) return <span className="text-quiet">{isInProgress(line) ? "none yet" : "none"}</span>;
  if (file.signedAt === null) return <span className="text-quiet">being signed</span>;
  const name = file.number ?? "certificate";
  return (
    <span className="proof-files">
      <a
        className="btn small"
        href={routes.files.certificatePdf(file.id)}
        download={`${fileName(file)}.pdf`}
        aria-label={`PDF of ${name}`}
      >
        PDF
      </a>
      <a
        className="btn small"
        href={routes.files.certificate(file.id)}
        download={`${fileName(file)}.json`}
        aria-label={`JSON of ${name}`}
      >
        JSON
      </a>
    </span>
  );
}
