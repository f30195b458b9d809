import { SIGN_OFF_MESSAGES } from "@server/contract/messages/sign-offs";
import type { Project } from "@server/contract/views";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useMe } from "@/features/auth/use-auth";
import { mayManage } from "@/features/projects/project-people";
import { Button } from "@/ui/button";
import { AskSignOffForm } from "./ask-sign-off-form";
import { SignOffList } from "./sign-off-list";
import { useSignOffs } from "./use-sign-offs";

/** The sign-offs of a project for the team; its managers and admins ask for them here. */
export function TeamSignOffs({ project }: { project: Project }) {
  const me = useMe();
  const query = useSignOffs({ projectId: project.id });
  return (
    <section aria-label="Sign-offs" className="mt-6 grid gap-3">
      <h3 className="text-reading">Sign-offs</h3>
      <SignOffList query={query} />
      {mayManage(me, project) && <Asking project={project} />}
    </section>
  );
}

function Asking({ project }: { project: Project }) {
  const [isWriting, setWriting] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  if (!project.client) return <p className="text-dense text-ink2">{SIGN_OFF_MESSAGES.noClient}</p>;
  if (!project.clientCollaboration) return <p className="text-dense text-ink2">{SIGN_OFF_MESSAGES.collaborationOff}</p>;
  function close(): void {
    flushSync(() => setWriting(false));
    opener.current?.focus();
  }
  if (isWriting) return <AskSignOffForm project={project} onClose={close} />;
  return (
    <Button ref={opener} size="sm" className="justify-self-start" onClick={() => setWriting(true)}>
      Ask for sign-off
    </Button>
  );
}
