// Names the entries that a list leaves out because this version does not understand them.
import { formatList } from "@/server/domain/numbers";
import { Notice } from "@/components/ui/notice";

/** Empty if all could be read. */
export function Unreadable({ of }: { of: readonly string[] }) {
  return of.length === 0 ? null : (
    <Notice tone="attention">
      Not shown: {formatList(of)}. It was stored by a newer version of Reclaim, which this version cannot
      read.
    </Notice>
  );
}
