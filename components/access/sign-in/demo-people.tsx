"use client";
// On the sign-in page of a demo: that it is one, and its people by what they do, each a click away.
import { Button } from "@/components/ui/button";
import { roleTable, type Role } from "@/server/domain/access/roles";

/** What a newcomer can try as each. */
const tries = {
  operator: "watches the fleet, and deals with what fails",
  "provider-admin": "sets the policy, and decides on exceptions",
  "tenant-admin": "has machines, and releases them",
  "repair-tenant-admin": "repairs machines, and releases them",
  auditor: "reads the evidence, and changes nothing",
} satisfies Record<Role, string>;

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

export interface DemoPerson {
  readonly role: Role;
  readonly org: string;
  readonly email: string;
}

interface DemoPeopleProps {
  people: readonly DemoPerson[];
  busy: boolean;
  choose: (email: string) => void;
}

export const DemoPeople = ({ people, busy, choose }: DemoPeopleProps) => (
  <section className="demo-people" aria-labelledby="demo-people">
    <h2 id="demo-people">This is a demo</h2>
    <p>
      Its machines are simulated.{" "}
      {people.length === 0
        ? "Its desk does not answer: sign in with a login of demo-logins.json."
        : "Look around as one of its people:"}
    </p>
    <ul>
      {people.map(({ role, org, email }) => (
        <li key={email}>
          <Button busy={busy} onClick={() => choose(email)}>
            {capital(roleTable[role].words)}
            {roleTable[role].ofTenant ? ` of ${org}` : ""}
          </Button>
          <span>{tries[role]}</span>
        </li>
      ))}
    </ul>
  </section>
);
