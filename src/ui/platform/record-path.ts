// Addresses of records. Ids of other servers may be any text.

const pathBelow = (list: string) => (id: string) => `/${list}/${encodeURIComponent(id)}`

export const planPath = pathBelow('success-plans')
export const accountPath = pathBelow('accounts')
