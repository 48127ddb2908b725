"use client";
// The link to the enrolment page, for users who may enrol hosts.
import Link from "next/link";
import { useMe } from "@/components/frame/me";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";

export function EnrolLink() {
  const { role } = useMe();
  return reachOf(role, "host.enroll") === "any" ? (
    <Link className="btn" href={routes.enrolments.create()}>
      Enrol hosts
    </Link>
  ) : null;
}
