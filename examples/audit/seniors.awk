# How many people are 65 or older, with Laplace noise for epsilon 1: to see what `gauze audit program` finds.
#
#   awk -v ages=70,34,66 -v count=3 -v seed=7 -f seniors.awk
#
# Three faults can be planted: -v scale=0.5 (too little noise), -v digits=17 (all digits of a double, whose last bits tell),
# -v careful=1 (it fails where there is nobody to count). Not for real data: the randomness of awk can be foreseen.
BEGIN {
  srand(seed)
  if (scale == "") scale = 1
  if (digits == "") digits = 4
  people = split(ages, age, ",")
  for (i = 1; i <= people; i++)
    if (age[i] >= 65) seniors++
  if (careful && seniors == 0) exit 1
  for (i = 0; i < count; i++) {
    uniform = rand() - 0.5
    sign = uniform < 0 ? -1 : 1
    printf "%." digits "g\n", seniors - sign * scale * log(1 - 2 * sign * uniform)
  }
}
