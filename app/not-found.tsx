// No such page: outside the frame, because it may be seen without signing in.
import Link from "next/link";
import { Alone } from "@/components/sign-in/alone";
import { routes } from "@/server/domain/console/routes";

export default function NotFound() {
  return (
    <Alone title="There is no such page">
      <p className="text-quiet">The address may be mistyped, or what it names is gone or not yours to see.</p>
      <p>
        <Link className="link" href={routes.fleet()}>
          Go to the first page
        </Link>
      </p>
    </Alone>
  );
}
