// Says that the page shows a draft restored from earlier, with a button to discard it.
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";

export function DraftNotice({ onDiscard }: { onDiscard: () => void }) {
  return (
    <Notice
      tone="neutral"
      act={
        <Button small onClick={onDiscard}>
          Discard draft
        </Button>
      }
    >
      This is your draft from before the page was loaded.
    </Notice>
  );
}
