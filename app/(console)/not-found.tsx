// A host or instance that does not exist or that this user may not see; the text is the same, so that it reveals nothing.
import Link from "next/link";
import { Empty } from "@/components/ui/empty";
import { routes } from "@/server/domain/console/routes";

export default function NotFound() {
  return (
    <>
      <div className="head">
        <h1>Not found</h1>
      </div>
      <Empty
        title="Not found, or you don't have access"
        act={
          <Link className="btn" href={routes.next()}>
            Go to the home page
          </Link>
        }
      >
        It may have been deleted, be mistyped, or belong to another tenant. <kbd>⌘K</kbd> finds hosts and
        instances by name, id or serial.
      </Empty>
    </>
  );
}
