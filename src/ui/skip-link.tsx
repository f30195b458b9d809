/** First focusable of every page: jumps over the navigation to `<main id="main" tabIndex={-1}>`. */
export function SkipLink() {
  return (
    // biome-ignore lint/a11y/useValidAnchor: a fragment link that also works before JavaScript; the handler only keeps "#main" from a router.
    <a
      href="#main"
      className="fixed start-3 top-3 z-100 -translate-y-24 rounded-control bg-brand px-4 py-3 font-medium text-on-brand opacity-0 focus:translate-y-0 focus:opacity-100"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById("main")?.focus();
      }}
    >
      Skip to content
    </a>
  );
}
