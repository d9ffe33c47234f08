// The modules that `web/icons.ts` serves.

declare module '~icons/*' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- the declaration of a module may not import a relative path
  const icon: import('./ui/icon.ts').Icon
  export default icon
}
