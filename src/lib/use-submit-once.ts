import { type BaseSyntheticEvent, useRef } from "react";

/**
 * A form's submit, one at a time: a second click or Enter while the first is still being checked or sent does nothing. A flag
 * of the form's state would come too late: it is of the last drawing.
 */
export function useSubmitOnce(
  submit: (event?: BaseSyntheticEvent) => Promise<void>,
): (event?: BaseSyntheticEvent) => Promise<void> {
  const isRunning = useRef(false);
  return async (event) => {
    event?.preventDefault();
    if (isRunning.current) return;
    isRunning.current = true;
    try {
      await submit(event);
    } finally {
      isRunning.current = false;
    }
  };
}
