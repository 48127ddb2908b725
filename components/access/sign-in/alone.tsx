// A page outside the frame, visible without signing in.
import type { ReactNode } from "react";
import { Brand } from "@/components/frame/brand";

export function Alone({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="alone">
      <main>
        <p className="brand">
          <Brand />
        </p>
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  );
}
