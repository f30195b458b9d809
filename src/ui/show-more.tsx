import { Button } from "./button";

type ShowMoreProps = {
  busy: boolean;
  /** The last try could not be answered. */
  failed: boolean;
  onMore: () => void;
};

/** Below a list that is read in pages: the next page, or once more. */
export function ShowMore({ busy, failed, onMore }: ShowMoreProps) {
  return (
    <div className="mt-4 flex flex-wrap items-center justify-center gap-3">
      {failed && <p role="alert">The older ones could not be loaded.</p>}
      <Button busy={busy} busyLabel="Loading..." onClick={onMore}>
        {failed ? "Retry" : "Show more"}
      </Button>
    </div>
  );
}
