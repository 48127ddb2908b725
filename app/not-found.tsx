// No such page. Rendered outside the frame, because it is visible without signing in.
import Link from "next/link";
import { Alone } from "@/components/access/sign-in/alone";
import { routes } from "@/server/domain/console/routes";

export default function NotFound() {
  return (
    <Alone title="Page not found">
      <p className="text-quiet">
        The address may be mistyped, the item may have been deleted, or you don&apos;t have access to it.
      </p>
      <p>
        <Link className="link" href={routes.next()}>
          Go to the home page
        </Link>
      </p>
    </Alone>
  );
}
