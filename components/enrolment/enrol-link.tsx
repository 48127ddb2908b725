"use client";
// The way to the page on which hosts are enrolled, for those who may.
import Link from "next/link";
import { useMe } from "@/components/frame/me";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";

/** Nothing for who may not. */
export function EnrolLink() {
  const { role } = useMe();
  return reachOf(role, "host.enroll") === "any" ? (
    <Link className="btn" href={routes.enrolments.create()}>
      Enrol hosts
    </Link>
  ) : null;
}
