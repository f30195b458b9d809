import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMe } from "@/features/auth/use-auth";
import { Button } from "@/ui/button";
import { buttonStyle } from "@/ui/button-style";

/** The next step of somebody without projects: clients cannot create one, and admins write to no admin. */
export function FirstStep({ onCreate }: { onCreate: (() => void) | undefined }): ReactNode {
  const isAdmin = useMe().accountType === "admin";
  return (
    <div className="flex flex-col items-center gap-4">
      <p className="max-w-[44ch] text-balance text-dense">
        {onCreate
          ? "Create a project with its people, its client and its first tasks. Projects that others add you to appear here too."
          : "Your projects appear here once our team has set them up."}
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        {onCreate && <Button onClick={onCreate}>+ New Project</Button>}
        {!isAdmin && (
          <Link
            to={onCreate ? "/dashboard/messages/{-$conversationId}" : "/client/messages/{-$conversationId}"}
            params={{ conversationId: undefined }}
            className={buttonStyle({ variant: onCreate ? "quiet" : "secondary" })}
          >
            Write to an admin
          </Link>
        )}
      </div>
    </div>
  );
}
