// No such page: outside the frame, because it may be seen without signing in.
import Link from "next/link";
import { Brand } from "@/components/frame/brand";
import { routes } from "@/server/domain/console/routes";

export default function NotFound() {
  return (
    <div className="alone">
      <main>
        <p className="brand">
          <Brand />
        </p>
        <h1>There is no such page</h1>
        <p className="text-quiet">
          The address may be mistyped, or what it names is gone or not yours to see.
        </p>
        <p>
          <Link className="link" href={routes.fleet()}>
            Go to the first page
          </Link>
        </p>
      </main>
    </div>
  );
}
