import { TextField } from './field.tsx'

interface FileFieldProps {
  label: string
  hint?: string
  error?: string | undefined
  accept: string
  disabled?: boolean
  /** Undefined while another file is chosen, and if none is. */
  onChoose: (file: File | undefined) => void
}

/** A field for one file. */
export const FileField = ({ onChoose, ...props }: FileFieldProps) => (
  <TextField
    {...props}
    type="file"
    onClick={({ currentTarget }) => {
      if (currentTarget.value === '') return
      // Browsers report no change for the same path, though the file may have been corrected.
      currentTarget.value = ''
      onChoose(undefined)
    }}
    onChange={(event) => onChoose(event.target.files?.[0])}
    className="bg-raised! py-2 file:me-3 file:rounded-sm file:border-0 file:bg-sunken file:px-2 file:font-semibold file:text-ink"
  />
)
