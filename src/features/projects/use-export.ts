import { GENERAL_MESSAGES } from "@server/contract/messages/general";
import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import { useMutation } from "@tanstack/react-query";
import { download } from "@/lib/download";
import { today } from "@/lib/format";
import { trpc } from "@/lib/trpc";
import { referenceText } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";
import type { ProjectScope } from "./project-cache";

export type ExportFormat = "csv" | "json";

/**
 * Downloads the projects with their tasks as a file. The file is read completely before the browser saves it: a refused or broken
 * download shows an error here, and leaves neither an error page nor half a file.
 */
export function useExport(scope: ProjectScope) {
  const utils = trpc.useUtils();
  return useMutation({
    mutationFn: async (format: ExportFormat) => {
      const query = scope === "mine" ? "?scope=mine" : "";
      const answer = await fetch(`/api/export/projects.${format}${query}`).catch(() => null);
      if (!answer) throw new Error(GENERAL_MESSAGES.unreachable);
      if (!answer.ok) {
        // This call tells the page that the session has ended, and why.
        if (answer.status === 401 || answer.status === 403) void utils.auth.me.invalidate();
        throw new Error(await refusalOf(answer));
      }
      const file = await answer.blob().catch(() => null);
      if (!file) throw new Error(GENERAL_MESSAGES.unreachable);
      download(file, `sangam-projects-${today()}.${format}`);
    },
    onSuccess: () => announce("Projects downloaded"),
    onError: ({ message }) => toast.error(PROJECT_MESSAGES.exportFailed, { description: message }),
  });
}

async function refusalOf(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => null);
  const message = ["error", "json", "message"].reduce(
    (value: unknown, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : null),
    body,
  );
  const sentence = typeof message === "string" ? message : GENERAL_MESSAGES.internal;
  const requestId = answer.status === 500 ? answer.headers.get("x-request-id") : null;
  return requestId === null ? sentence : `${sentence} ${referenceText(requestId)}`;
}
