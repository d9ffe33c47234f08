/** Shows a colour scheme: style sheets choose by the attribute, and the browser's own bars take the colour of that scheme. */
export function setRootScheme(isDark: boolean): void {
  const scheme = isDark ? 'dark' : 'light'
  document.documentElement.dataset['colorScheme'] = scheme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[data-scheme]'))
    meta.media = meta.dataset['scheme'] === scheme ? 'all' : 'not all'
}
