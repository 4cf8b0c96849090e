/**
 * The `tel:` address of a phone number (RFC 3966): digits, and the extension as a parameter. The (0) behind a country
 * code is dialled only without that code.
 */
export function phoneAddress(phone: string): string {
  // `Phone` of the contract has only the letters of an extension: x, ext, Ext.
  const [, number = '', extension = ''] = /^(\D*\d[^ext]*)(.*)/i.exec(phone.trim()) ?? []
  const digits = number.replace(/^(\+.*?)\(0\)/, '$1').replaceAll(/(?!^\+)\D/g, '')
  const code = extension.replaceAll(/\D/g, '')
  return `tel:${digits}${code && `;ext=${code}`}`
}
