/** A field that can be changed from the list. */
export type EditedField = 'owner' | 'end_date' | 'status' | 'health'

/** The field of the plan. */
export const storedAs = (field: EditedField): string => (field === 'owner' ? 'owner_id' : field)
