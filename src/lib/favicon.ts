/** Puts a dot on the tab's icon, or takes it off: something waits for the reader. */
export function setFaviconDot(isOn: boolean): void {
  const icon = document.querySelector('link[rel="icon"]');
  const href = isOn ? "/favicon-unread.svg" : "/favicon.svg";
  if (icon?.getAttribute("href") !== href) icon?.setAttribute("href", href);
}
