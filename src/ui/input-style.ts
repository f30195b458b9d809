/** The box of every text-like control: 44 px on touch, 38 with a mouse; 16 px letters below 640 so iOS does not zoom. */
export const inputStyle = [
  "w-full min-w-0 rounded-control border border-line-strong bg-field px-2.5 text-ink text-reading sm:text-body",
  "transition-colors duration-90 ease-out",
  "focus-visible:-outline-offset-1 aria-invalid:border-red aria-invalid:focus-visible:outline-red",
  "disabled:opacity-65",
].join(" ");
