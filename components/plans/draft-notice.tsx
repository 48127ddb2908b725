// What the page shows was put together before it was loaded, and can be thrown away.
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
