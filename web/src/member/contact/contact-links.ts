/** Adds the LINE account of an id. An @ is part of the id of an official account. */
export function lineHref(line_id: string): string {
  return `https://line.me/R/ti/p/${line_id.startsWith('@') ? '' : '~'}${encodeURIComponent(line_id)}`
}

export function phoneHref(phone: string): string {
  return `tel:${phone.replaceAll(/[^+\d]/g, '')}`
}
