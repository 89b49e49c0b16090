/** @file golden.h
 * Text against a file of tests/golden. */
#ifndef JP_TEST_GOLDEN_H
#define JP_TEST_GOLDEN_H

/** Compare with tests/golden/NAME; a failed check says where they part. With the environment variable JP_GOLDEN=write the
 * file is made instead: look at the difference before committing it. */
void jp_golden(const char *name, const char *text);

#endif
