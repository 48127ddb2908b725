"use client";
// Toasts: only for the user's own acts, never for live events. One that needs an act of the user lasts until it is closed.
import { Toast } from "radix-ui";
import { createContext, useCallback, useContext, useRef, useState, type ReactNode } from "react";
import { Mark } from "@/components/ui/mark";
import type { Tone } from "@/components/ui/tone";

interface Message {
  id: number;
  words: ReactNode;
  tone: Tone;
  lasts: boolean;
}

type Say = (words: ReactNode, tone?: Tone, lasts?: boolean) => void;

const ToastContext = createContext<Say | undefined>(undefined);
const shownMs = 6000;

/** Holds the toasts of the page. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const nextId = useRef(0);
  const say = useCallback<Say>((words, tone = "neutral", lasts = false) => {
    nextId.current += 1;
    const message = { id: nextId.current, words, tone, lasts };
    setMessages((before) => [...before.slice(-2), message]);
  }, []);
  const drop = (id: number) => setMessages((before) => before.filter((message) => message.id !== id));
  return (
    <ToastContext value={say}>
      <Toast.Provider duration={shownMs} label="What you did">
        {children}
        {messages.map((message) => (
          <Toast.Root
            key={message.id}
            className="toast"
            {...(message.lasts ? { duration: Infinity } : {})}
            onOpenChange={(open) => (open ? undefined : drop(message.id))}
          >
            <Mark tone={message.tone} label="" />
            <Toast.Description asChild>
              <span>{message.words}</span>
            </Toast.Description>
            {message.lasts ? <Toast.Close className="btn small plain">Close</Toast.Close> : null}
          </Toast.Root>
        ))}
        <Toast.Viewport className="toasts" />
      </Toast.Provider>
    </ToastContext>
  );
}

/** Shows a toast about the user's act. */
export function useSay(): Say {
  const say = useContext(ToastContext);
  if (say === undefined) throw new Error("no ToastProvider above this component");
  return say;
}
