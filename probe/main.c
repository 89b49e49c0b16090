/* jackprobe: dispatch only. */
int main(void)
{
	return 2;
}
