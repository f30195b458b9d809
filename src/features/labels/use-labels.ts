import { LABEL_COLOURS, type LabelColour } from "@db/enums";
import type { Label } from "@server/contract/views";
import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync, useLiveSync } from "@/lib/live-sync";
import { patchQueries } from "@/lib/query-updates";
import { trpc } from "@/lib/trpc";

const LIST = { queryKey: getQueryKey(trpc.labels.list) };

registerLiveSync("labels", {
  queries: [LIST],
  receive: ({ labels }, { queryClient }) => patchQueries<Label[]>(queryClient, LIST, () => labels),
});

/** The organisation's labels, by name; a client's are those of their tasks. Up to date while the calling page is open. */
export function useLabels() {
  useLiveSync("labels");
  return trpc.labels.list.useQuery();
}

/** On how many tasks a label is; read anew for each label that is asked about. */
export function useLabelUsage(labelId: string | undefined): number | undefined {
  const query = trpc.labels.usage.useQuery(
    { labelId: labelId ?? "" },
    { enabled: labelId !== undefined, staleTime: 0 },
  );
  return query.isFetching ? undefined : query.data?.tasks;
}

export function useCreateLabel() {
  const utils = trpc.useUtils();
  return trpc.labels.create.useMutation({
    onSuccess: (label) => utils.labels.list.setData(undefined, (known) => known && putLabel(known, label)),
  });
}

export function useUpdateLabel() {
  const utils = trpc.useUtils();
  return trpc.labels.update.useMutation({
    onSuccess: (label) => utils.labels.list.setData(undefined, (known) => known && putLabel(known, label)),
  });
}

export function useDeleteLabel() {
  const utils = trpc.useUtils();
  return trpc.labels.delete.useMutation({
    onSuccess: ({ id }) => utils.labels.list.setData(undefined, (known) => known?.filter((label) => label.id !== id)),
  });
}

/** The colour that is used least, so that a new label differs from the others. */
export function nextColour(labels: readonly Label[]): LabelColour {
  const count = (colour: LabelColour) => labels.filter((label) => label.colour === colour).length;
  return LABEL_COLOURS.toSorted((one, other) => count(one) - count(other))[0] ?? "grey";
}

function putLabel(labels: readonly Label[], label: Label): Label[] {
  return [...labels.filter(({ id }) => id !== label.id), label].toSorted((one, other) =>
    one.name.localeCompare(other.name, "en-GB"),
  );
}
