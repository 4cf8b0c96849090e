// Converts an account to form fields and back.
import type * as v from 'valibot'
import { AccountDraft, type Account } from '../../../contract/schemas/accounts.ts'
import { validateForm, type Validated } from '../../../contract/errors.ts'
import { nonEmptyFields, type Fields } from '../../widgets/editing/use-editor.tsx'
import { websiteAddress } from '../../widgets/editing/website-address.ts'

export type AccountField =
  | 'name'
  | 'status'
  | 'tier'
  | 'industry'
  | 'health'
  | 'arr'
  | 'currency'
  | 'renewal_date'
  | 'owner_id'
  | 'website'
  | 'tags'
  | 'notes'

/** The fields of a new account. */
export const blankAccount = (owner_id: string, currency: string): Fields<AccountField> => ({
  name: '',
  status: 'active',
  tier: '',
  industry: '',
  health: '',
  arr: '',
  currency,
  renewal_date: '',
  owner_id,
  website: '',
  tags: '',
  notes: '',
})

/** The fields of an existing account. */
export const accountToFields = (account: Account): Fields<AccountField> => ({
  name: account.name,
  status: account.status,
  tier: account.tier ?? '',
  industry: account.industry ?? '',
  health: account.health ?? '',
  arr: account.arr?.toString() ?? '',
  currency: account.currency,
  renewal_date: account.renewal_date ?? '',
  owner_id: account.owner_id ?? '',
  website: account.website ?? '',
  tags: account.tags.join(', '),
  notes: account.notes ?? '',
})

/** Validates the fields with the contract's schema, which the server uses as well. */
export function checkAccount(
  fields: Fields<AccountField>,
): Validated<v.InferOutput<typeof AccountDraft>> {
  const { arr, tags, website, ...filled } = nonEmptyFields(fields)
  return validateForm(AccountDraft, {
    name: '',
    ...filled,
    ...(arr !== undefined && { arr: Number(arr.replaceAll(/[\s,]/g, '')) }),
    ...(website !== undefined && { website: websiteAddress(website) }),
    tags: (tags ?? '')
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  })
}
