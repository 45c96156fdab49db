"""Days into weeks, months and wisdom, and the timeline over them."""
