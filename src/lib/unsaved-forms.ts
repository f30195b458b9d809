/** Forms in which somebody has typed or chosen something that the server does not have yet. */
const touched = new WeakSet<HTMLFormElement>();
let lastSent: HTMLFormElement | null = null;

/** Once, at the start. Every form of the page is watched; none needs code of its own. */
export function watchForms(): void {
  document.addEventListener("input", ({ target }) => void touch(target), true);
  document.addEventListener(
    "submit",
    ({ target }) => {
      lastSent = touch(target);
    },
    true,
  );
}

/** The server has accepted a change: what was sent last is not at risk any more. */
export function markSent(): void {
  if (lastSent) touched.delete(lastSent);
  lastSent = null;
}

/** Whether leaving this page would lose what somebody has typed: a form was touched, or a guard of the page objects. */
export function hasUnsavedForms(): boolean {
  if ([...document.forms].some((form) => touched.has(form))) return true;
  // The question that the browser asks before a reload; asked by us it opens no dialog.
  return !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

function touch(target: EventTarget | null): HTMLFormElement | null {
  const form = target instanceof Element ? target.closest("form") : null;
  if (form) touched.add(form);
  return form;
}
